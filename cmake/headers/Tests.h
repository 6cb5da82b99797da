// The same for test programs.
#include "cmake/headers/Sources.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
