# SPDX-License-Identifier: MIT
# Runs the inputs of a session, and has the shell write what it prints and the C++ program for it.
# Usage: cmake -D shell=PROGRAM -D session=FILE.tr -D name=FILE-WITHOUT-ENDING -P write_session.cmake
file(READ "${session}" inputs)
file(WRITE "${name}.in" "${inputs}\n:write ${name}.cpp\n")
set(ENV{TROUPE_CPU_DEVICES} 2)
execute_process(COMMAND "${shell}" INPUT_FILE "${name}.in" OUTPUT_FILE "${name}.out"
                COMMAND_ERROR_IS_FATAL ANY)
file(READ "${name}.out" printed)
string(REGEX REPLACE "    the program is in [^\n]*\n$" "" printed "${printed}")
file(WRITE "${name}.out" "${printed}")
