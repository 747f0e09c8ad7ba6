// What the header declares is in line in its callers. A target has to have a file to compile.
#include "ProcessorCache.h"
