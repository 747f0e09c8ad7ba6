// How many strong references an object has. Swift's runtime exports the function for debuggers, and the standard library
// has it as `_getRetainCount`, which holds the object for the call and so counts itself in some builds.
#pragma once

#include <stddef.h>

size_t swift_retainCount(void *object);
