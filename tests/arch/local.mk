arch_tests =
valgrind_tests = $(check_PROGRAMS)
