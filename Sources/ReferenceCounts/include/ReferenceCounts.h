#pragma once

// Retains an object unless it is being destroyed, when the result is null. Somebody must have an unowned reference to it,
// so that its memory is there.
void *swift_tryRetain(void *object);

// Keeps the memory of an object, though not the object.
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);

// The same for an object that no other thread knows yet.
void *swift_nonatomic_unownedRetain(void *object);
