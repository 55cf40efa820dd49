# The unit tests.
