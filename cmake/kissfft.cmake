# SPDX-License-Identifier: MIT
# Finds KISS FFT's header for C++, which computes Fourier transforms on CPUs.
find_path(TROUPE_KISSFFT_INCLUDE_DIR kissfft/kissfft.hh)
mark_as_advanced(TROUPE_KISSFFT_INCLUDE_DIR)
if(NOT TROUPE_KISSFFT_INCLUDE_DIR)
  message(FATAL_ERROR "There is no kissfft/kissfft.hh: install libkissfft-dev")
endif()
