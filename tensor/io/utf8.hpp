// SPDX-License-Identifier: MIT
#pragma once

#include "troupe/text/utf8.hpp"
