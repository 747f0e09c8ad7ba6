#include "TestLaunch.h"

extern void osd_test_launch(void);

__attribute__((constructor)) static void launch(void) { osd_test_launch(); }
