mod fixtures;
mod robust;
mod sound;
