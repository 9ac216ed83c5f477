//! The one entry that every exported function goes through.
//!
//! A handle is idle, busy or poisoned. A call takes an idle handle and leaves it idle, or poisoned after
//! a panic. The state lies beside the value, so a second call never touches a value in use.

use std::{
    any::Any,
    cell::UnsafeCell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU8, Ordering},
    },
};

use crate::status::{Done, EvStatus, Fault, report};

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const POISONED: u8 = 2;

/// A value that only one call at a time may use.
#[derive(Debug)]
pub(crate) struct Guarded<T> {
    state: AtomicU8,
    /// Words of the panic. It is used only on the way into a failure.
    panic: Mutex<String>,
    value: UnsafeCell<T>,
}

impl<T> Guarded<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { state: AtomicU8::new(IDLE), panic: Mutex::new(String::new()), value: UnsafeCell::new(value) }
    }

    /// Takes the handle for a call.
    fn take(&self) -> Done {
        match self.state.compare_exchange(IDLE, BUSY, Ordering::Acquire, Ordering::Acquire) {
            Ok(_) => Ok(()),
            Err(BUSY) => Err(Fault::new(
                EvStatus::Busy,
                "busy: another call on this handle has not returned; do not call it from its callbacks",
            )),
            Err(_) => {
                let panic = self.panic.lock().unwrap_or_else(PoisonError::into_inner);
                Err(Fault::new(
                    EvStatus::Poisoned,
                    format!("poisoned by a panic: {panic}; release this handle and make a new one"),
                ))
            }
        }
    }
}

/// Runs a call on a handle, which may be missing.
pub(crate) fn enter<T>(handle: Option<&Guarded<T>>, run: impl FnOnce(&mut T) -> Done) -> EvStatus {
    let Some(handle) = handle else { return report(&Fault::null("handle")) };
    if let Err(fault) = handle.take() {
        return report(&fault);
    }
    // SAFETY: the state is BUSY, and this call alone has set it. No other reference exists until the
    // state is IDLE again.
    let value = unsafe { &mut *handle.value.get() };
    match catch_unwind(AssertUnwindSafe(|| run(value))) {
        Ok(done) => {
            handle.state.store(IDLE, Ordering::Release);
            done.map_or_else(|fault| report(&fault), |()| EvStatus::Ok)
        }
        Err(payload) => {
            let words = words(payload);
            handle.panic.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&words);
            handle.state.store(POISONED, Ordering::Release);
            report(&Fault::new(EvStatus::Panicked, format!("panicked: {words}; the handle is poisoned")))
        }
    }
}

/// Runs a call that needs no handle.
pub(crate) fn call(run: impl FnOnce() -> Done) -> EvStatus {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(done) => done.map_or_else(|fault| report(&fault), |()| EvStatus::Ok),
        Err(payload) => report(&Fault::new(EvStatus::Panicked, format!("panicked: {}", words(payload)))),
    }
}

/// Releases a handle, which may be null or poisoned but not busy. `handle` is the whole allocation, and
/// `guarded` finds the guard in it.
///
/// # Safety
/// The pointer is null, or was made by `Box::into_raw` and is not used again if the answer is `Ok`.
pub(crate) unsafe fn release<H, T>(handle: *mut H, guarded: impl FnOnce(&H) -> &Guarded<T>) -> EvStatus {
    // SAFETY: the caller passes null or a live handle.
    let Some(live) = (unsafe { handle.as_ref() }) else { return EvStatus::Ok };
    let guarded = guarded(live);
    let taken = guarded.state.swap(BUSY, Ordering::AcqRel);
    if taken == BUSY {
        return report(&Fault::new(
            EvStatus::Busy,
            "busy: a handle cannot be released while a call on it has not returned",
        ));
    }
    call(|| {
        // SAFETY: no call uses the handle, and the caller gives it up.
        drop(unsafe { Box::from_raw(handle) });
        Ok(())
    })
}

/// Returns the words of a panic. A payload of an unknown type is never dropped, because that could panic
/// again.
fn words(payload: Box<dyn Any + Send>) -> String {
    let payload = match payload.downcast::<&'static str>() {
        Ok(words) => return (*words).to_owned(),
        Err(other) => other,
    };
    payload.downcast::<String>().map_or_else(
        |unknown| {
            std::mem::forget(unknown);
            "without words".to_owned()
        },
        |words| *words,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_idle_again_after_a_failure() {
        let handle = Guarded::new(1);
        let refused = enter(Some(&handle), |_| Err(Fault::invalid("time", "NaN")));
        assert_eq!(refused, EvStatus::Invalid);
        assert_eq!(enter(Some(&handle), |_| Ok(())), EvStatus::Ok);
    }

    #[test]
    fn a_call_within_a_call_is_busy_and_harms_nothing() {
        let handle = Guarded::new(1);
        let mut inner = EvStatus::Ok;
        let outer = enter(Some(&handle), |value| {
            inner = enter(Some(&handle), |value| {
                *value = 7;
                Ok(())
            });
            *value += 1;
            Ok(())
        });
        assert_eq!((outer, inner), (EvStatus::Ok, EvStatus::Busy));
        assert_eq!(
            enter(Some(&handle), |value| {
                assert_eq!(*value, 2);
                Ok(())
            }),
            EvStatus::Ok
        );
    }

    #[test]
    fn a_panic_poisons_the_handle_and_nothing_else() {
        let (handle, other) = (Guarded::new(1), Guarded::new(1));
        assert_eq!(enter(Some(&handle), |_| panic!("no such thing")), EvStatus::Panicked);
        assert_eq!(enter(Some(&handle), |_| Ok(())), EvStatus::Poisoned);
        assert_eq!(enter(Some(&other), |_| Ok(())), EvStatus::Ok);
        assert_eq!(enter(None::<&Guarded<u8>>, |_| Ok(())), EvStatus::Null);
    }
}
