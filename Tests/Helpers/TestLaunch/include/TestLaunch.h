// Calls `osd_test_launch`, which the tests define, before the tests begin.
