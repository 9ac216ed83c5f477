//! The optional features: serialized values come back equal, and no format brings an invalid value
//! into a checked type.

use arbitrary::{Arbitrary, Unstructured};
use evenstride_types::{
    CellId, Heading, LandblockId, Placement, Pose, RawPlacement, Rotation, SimDuration, SimTime, StampTable,
    update::{PlayerAction, Update},
};
use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

/// Miri takes a thousand times as long.
const MOST_BYTES: usize = if cfg!(miri) { 200 } else { 2_000 };

/// Makes a value from a fuzzer's bytes, writes it as JSON, and reads it again.
fn round_trip<T>(bytes: &[u8]) -> Result<(), TestCaseError>
where
    T: for<'a> Arbitrary<'a> + Serialize + DeserializeOwned,
{
    let Ok(value) = T::arbitrary(&mut Unstructured::new(bytes)) else { return Ok(()) };
    let text = serde_json::to_string(&value).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let read: T = match serde_json::from_str(&text) {
        // JSON has no NaN and no infinity.
        Err(error) if error.to_string().contains("invalid type: null, expected f") => return Ok(()),
        read => read.map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?,
    };
    prop_assert_eq!(serde_json::to_string(&read).unwrap(), text);
    Ok(())
}

proptest! {
    #[test]
    fn every_type_comes_back_from_json(bytes in proptest::collection::vec(any::<u8>(), 0..MOST_BYTES)) {
        round_trip::<CellId>(&bytes)?;
        round_trip::<LandblockId>(&bytes)?;
        round_trip::<Heading>(&bytes)?;
        round_trip::<Rotation>(&bytes)?;
        round_trip::<Pose>(&bytes)?;
        round_trip::<Placement>(&bytes)?;
        round_trip::<SimTime>(&bytes)?;
        round_trip::<SimDuration>(&bytes)?;
        round_trip::<StampTable>(&bytes)?;
        round_trip::<RawPlacement>(&bytes)?;
        round_trip::<Update>(&bytes)?;
        round_trip::<PlayerAction>(&bytes)?;
    }

    #[test]
    fn arbitrary_values_are_valid(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut u = Unstructured::new(&bytes);
        let place = Placement::arbitrary(&mut u).unwrap();
        prop_assert!(CellId::new(place.cell.raw()).is_ok());
        prop_assert!(place.pose.is_in_bounds() && Rotation::new(place.pose.rotation().to_wxyz()).is_ok());
        prop_assert!(SimTime::from_secs(SimTime::arbitrary(&mut u).unwrap().as_secs()).is_ok());
    }
}

#[test]
fn invalid_values_are_refused_with_the_constructors_words() {
    for (error, words) in [
        (serde_json::from_str::<CellId>("0").unwrap_err(), "no cell has the number 0x0000"),
        (serde_json::from_str::<Rotation>("[0.5, 0, 0, 0]").unwrap_err(), "squared length 0.25"),
        (serde_json::from_str::<SimTime>("1e300").unwrap_err(), "not a finite number within"),
        (
            serde_json::from_str::<Pose>(r#"{"origin": [1e9, 0, 0], "rotation": [1, 0, 0, 0]}"#).unwrap_err(),
            "origin.x: 1000000000 m is farther",
        ),
    ] {
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn the_form_of_a_place_is_pinned() {
    let place = Placement::new(
        CellId::new(0xA9B4_0001).unwrap(),
        Pose::new([84.0, 90.5, 10.0], Rotation::IDENTITY).unwrap(),
    );
    let text = serde_json::to_string(&place).unwrap();
    assert_eq!(
        text,
        r#"{"cell":2847145985,"pose":{"origin":[84.0,90.5,10.0],"rotation":[1.0,0.0,0.0,0.0]}}"#
    );
}
