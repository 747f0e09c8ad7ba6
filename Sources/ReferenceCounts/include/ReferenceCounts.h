#pragma once

#include <stddef.h>

// How many strong references an object has. Swift's runtime exports the function for debuggers, and the standard library
// has it as `_getRetainCount`, which holds the object for the call and so counts itself in some builds.
size_t swift_retainCount(void *object);

// Retains an object unless it is being destroyed, when the result is null. Somebody must have an unowned reference to it,
// so that its memory is there.
void *swift_tryRetain(void *object);

// Keeps the memory of an object, though not the object.
void *swift_unownedRetain(void *object);
void swift_unownedRelease(void *object);

// The same for an object that no other thread knows yet.
void *swift_nonatomic_unownedRetain(void *object);

// What a thread accesses between these two is nothing to the thread sanitizer. Without it they are not there.
void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));

static inline void beginUncheckedAccess(void) {
  if (AnnotateIgnoreWritesBegin) AnnotateIgnoreWritesBegin("", 0);
}

static inline void endUncheckedAccess(void) {
  if (AnnotateIgnoreWritesEnd) AnnotateIgnoreWritesEnd("", 0);
}
