//! One call from JavaScript. A call that panics or traps leaves the module in an unknown state, and every
//! later call says so.
//!
//! A panic throws a JavaScript error with the place and the message. A trap, such as a stack overflow,
//! throws an error of the engine. Neither runs destructors, so the mark of the call stays set.

use std::{
    cell::{Cell, RefCell},
    fmt::Display,
    panic,
    sync::Once,
};

use wasm_bindgen::JsError;

/// An error as a sentence.
pub(crate) type Sentence = String;

/// Runs a call. Errors become JavaScript errors.
pub(crate) fn call<T>(run: impl FnOnce() -> Result<T, Sentence>) -> Result<T, JsError> {
    within(run).map_err(|sentence| JsError::new(&sentence))
}

fn within<T>(run: impl FnOnce() -> Result<T, Sentence>) -> Result<T, Sentence> {
    listen_to_panics();
    if IS_RUNNING.get() {
        let panic = PANIC.with_borrow(Clone::clone);
        let reason = panic.unwrap_or_else(|| "an earlier call did not return".to_owned());
        return Err(format!("poisoned: {reason}; load the module again"));
    }
    IS_RUNNING.set(true);
    let result = run();
    IS_RUNNING.set(false);
    result
}

/// Converts an error to its sentence.
pub(crate) fn sentence(error: impl Display) -> Sentence {
    error.to_string()
}

thread_local! {
    /// Whether a call has begun and not returned.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
    /// The first panic, in words.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Records panics. In a browser they become JavaScript errors, because nothing else catches them there.
fn listen_to_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(not(target_family = "wasm"))]
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let words = info.to_string().replace('\n', " ");
            PANIC.with_borrow_mut(|panic| panic.get_or_insert_with(|| words.clone()).len());
            #[cfg(target_family = "wasm")]
            wasm_bindgen::throw_str(&format!("poisoned: {words}; load the module again"));
            #[cfg(not(target_family = "wasm"))]
            others(info);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_returns_leaves_nothing_behind() {
        assert_eq!(within(|| Ok(1)), Ok(1));
        assert_eq!(within(|| Err::<(), _>("no".to_owned())), Err("no".to_owned()));
        assert_eq!(within(|| Ok(2)), Ok(2));
    }

    #[test]
    fn every_call_after_a_panic_tells_of_it() {
        let caught = panic::catch_unwind(|| within::<()>(|| panic!("no such thing")));
        assert!(caught.is_err());
        let told = within(|| Ok(())).unwrap_err();
        assert!(told.starts_with("poisoned: panicked at ") && told.contains("no such thing"), "{told}");
        assert!(told.ends_with("load the module again"));
        assert_eq!(within(|| Ok(())).unwrap_err(), told);
    }

    #[test]
    fn every_call_after_a_trap_tells_of_it() {
        // A trap leaves the mark as it is.
        IS_RUNNING.set(true);
        let told = within(|| Ok(())).unwrap_err();
        assert_eq!(told, "poisoned: an earlier call did not return; load the module again");
    }
}
