//! The state of all connections, within a bound on memory.

use std::collections::BTreeMap;

use crate::{ConnectionId, Direction, Place, lane::LaneState};

/// Largest number of connections with state. The connection that was silent longest is forgotten
/// first.
const MAX_CONNECTIONS: usize = 4_096;

/// Largest memory of all connections in bytes. Connections are forgotten beyond it too.
const MAX_BYTES: usize = 160 << 20;

/// Both directions of a connection.
#[derive(Debug, Default)]
pub(crate) struct Link {
    pub(crate) from_server: LaneState,
    pub(crate) from_client: LaneState,
    /// Datagrams of either direction with a wrong key, oldest first, without a correct packet in
    /// between.
    pub(crate) doubtful: Vec<Datagram>,
    /// Number of the last use.
    used: u64,
    /// Memory in bytes when it was last used.
    bytes: usize,
}

/// A datagram and its place.
#[derive(Clone, Debug)]
pub(crate) struct Datagram {
    pub(crate) time: f64,
    pub(crate) place: Place,
    pub(crate) direction: Direction,
    pub(crate) payload: Vec<u8>,
}

impl Link {
    pub(crate) const fn lane(&mut self, direction: Direction) -> &mut LaneState {
        match direction {
            Direction::FromServer => &mut self.from_server,
            Direction::FromClient => &mut self.from_client,
        }
    }

    /// Returns the memory of both directions and of doubtful datagrams, in bytes.
    fn memory(&self) -> usize {
        let doubtful: usize = self.doubtful.iter().map(|datagram| datagram.payload.capacity()).sum();
        size_of::<Self>() + self.from_server.bytes() + self.from_client.bytes() + doubtful
    }
}

/// Connections with state, by number.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Boxed so that taking one out and putting it back is cheap.
    by_number: Vec<Option<Box<Link>>>,
    /// Numbers by last use, so that the one to forget is found at once.
    by_use: BTreeMap<u64, ConnectionId>,
    uses: u64,
    bytes: usize,
}

impl Links {
    /// Takes a connection out for use. An unknown one has no state.
    pub(crate) fn take(&mut self, id: ConnectionId) -> Box<Link> {
        let link = self.by_number.get_mut(id.0 as usize).and_then(Option::take).unwrap_or_default();
        self.bytes -= link.bytes;
        self.by_use.remove(&link.used);
        link
    }

    /// Puts a connection back after use. Connections that no longer fit are passed to `forget`.
    pub(crate) fn put(&mut self, id: ConnectionId, mut link: Box<Link>, mut forget: impl FnMut(&Link)) {
        self.uses += 1;
        link.used = self.uses;
        link.bytes = link.memory();
        self.bytes += link.bytes;
        self.by_use.insert(link.used, id);
        let place = id.0 as usize;
        if self.by_number.len() <= place {
            self.by_number.resize_with(place + 1, || None);
        }
        self.by_number[place] = Some(link);
        while self.by_use.len() > MAX_CONNECTIONS || (self.bytes > MAX_BYTES && self.by_use.len() > 1) {
            let Some((_, oldest)) = self.by_use.pop_first() else { return };
            if let Some(link) = self.by_number.get_mut(oldest.0 as usize).and_then(Option::take) {
                self.bytes -= link.bytes;
                forget(&link);
            }
        }
    }

    /// Returns all connections with state.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Link> {
        self.by_number.iter().flatten().map(Box::as_ref)
    }
}
