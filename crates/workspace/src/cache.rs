//! A place for what others derive from a workspace.

use std::{
    any::{Any, TypeId},
    sync::{Arc, Mutex, PoisonError},
};

use rustc_hash::FxHashMap;

/// One value of each type that was asked for. Nothing here knows what they are; they are dropped together.
#[derive(Default)]
pub(crate) struct CacheSlots(Mutex<FxHashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl CacheSlots {
    /// The value of a type, made when first asked for.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> Arc<T> {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default()));
        // The key is the type of the value.
        slot.clone().downcast().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::CacheSlots;

    #[test]
    fn there_is_one_value_of_each_type() {
        let slots = CacheSlots::default();
        *slots.get::<Mutex<u32>>().lock().unwrap() = 7;
        assert_eq!(*slots.get::<Mutex<u32>>().lock().unwrap(), 7);
        assert_eq!(*slots.get::<Mutex<u64>>().lock().unwrap(), 0);
        let kept = Arc::downgrade(&slots.get::<Mutex<u32>>());
        drop(slots);
        assert!(kept.upgrade().is_none(), "values are dropped with their slots");
    }
}
