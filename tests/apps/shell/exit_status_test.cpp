// SPDX-License-Identifier: MIT
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "troupe/tests/temporary_folder.hpp"

// The program itself, run by another program: its output and exit status.

namespace {

using troupe::testing::put_bytes;
using troupe::testing::temporary_folder;

struct ending {
  int status = -1;
  std::string text;  ///< of output and errors
};

/// Runs a command of the shell `sh`, in which $troupe is the program.
ending run(const std::string& command) {
  setenv("troupe", TROUPE_PROGRAM, 1);
  auto* const program = popen(("exec 2>&1; " + command).c_str(), "r");
  REQUIRE(program != nullptr);
  ending e;
  char some[4096];
  while (const auto n = std::fread(some, 1, sizeof some, program)) e.text.append(some, n);
  const int status = pclose(program);
  e.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return e;
}

bool has(const ending& e, const std::string& part) {
  INFO(e.text);
  CHECK(e.text.find(part) != std::string::npos);
  return e.text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the status is 0 where all went well and 1 after a mistake") {
  const auto good = run("$troupe -e 'ones(2) + 1'");
  CHECK(good.status == 0);
  CHECK(good.text == "[2. 2.]  float32[2] on cpu:0\n");
  CHECK(run("$troupe -e 'ones(2' -e '1'").status == 1);
  CHECK(run("echo nothing | $troupe").status == 1);
  CHECK(run("$troupe --nonsense").status == 2);
  CHECK(run("$troupe </dev/null").status == 0);
}

TEST_CASE("a mistake within braces ends with them, where nobody sees it at once") {
  const temporary_folder folder;
  const auto inputs = put_bytes(folder / "inputs",
                                "def g(x) {\n  y = x x\n  { a = 99 }\n}\na = 1\n"
                                "repeat 2 {\n  x +\n}\na\n");
  const auto e = run("$troupe < " + inputs);
  CHECK(e.status == 1);
  has(e, "unexpected x after the statement (input 1)");
  has(e, "(input 3)");
  CHECK(e.text.ends_with("1\n"));
  CHECK(e.text.find("99") == std::string::npos);
}

TEST_CASE("what stands behind an open brace is said not to have run") {
  const temporary_folder folder;
  const auto inputs = put_bytes(folder / "inputs", "a = 2\n{\na = 3\nprint a\n");
  const auto e = run("$troupe < " + inputs);
  CHECK(e.status == 1);
  has(e, "its { is not closed: the 2 lines behind it did not run");
}

TEST_CASE("a failure that was never read is reported at the end") {
  for (const std::string way :
       {"$troupe -e 'y = take(arange(3), [7])'", "echo 'y = take(arange(3), [7])' | $troupe"}) {
    const auto e = run(way);
    CHECK(e.status == 1);
    has(e, "error: take: index 7 is out of bounds");
    has(e, "y = take(arange(3), [7])");
  }
  // A failure that was reported is not reported again.
  const auto told = run("$troupe -e 'y = take(arange(3), [7])' -e y");
  CHECK(told.status == 1);
  CHECK(told.text.find("error:") == told.text.rfind("error:"));
}

TEST_CASE("output that cannot be written is a failure") {
  CHECK(run("$troupe -e 1 >/dev/null").status == 0);
  if (std::filesystem::exists("/dev/full")) {
    const auto full = run("$troupe -e 1 2>&1 >/dev/full");
    CHECK(full.status == 1);
    has(full, "troupe: the output cannot be written");
  }
  CHECK(run("$troupe -e 1 >&-").status == 1);
}

TEST_CASE("standard input that cannot be read is a failure") {
  const temporary_folder folder;
  for (const auto& input : {std::string("<&-"), "< " + (folder / "")}) {
    INFO(input);
    const auto e = run("timeout 20 $troupe " + input);
    CHECK(e.status == 1);
    has(e, "troupe: standard input cannot be read: ");
  }
}

TEST_CASE("a script without end is refused") {
  for (const std::string way : {"/dev/zero", "-e ':source /dev/zero'"}) {
    const auto e = run("timeout 60 $troupe " + way);
    CHECK(e.status == 1);
    has(e, "/dev/zero is no script: it has more than 64 MiB");
  }
}

TEST_CASE("a file that does not fit on the disk leaves the older one, and says why") {
  const temporary_folder folder;
  for (const std::string command : {":save FILE", ":write FILE", ":graph x --svg FILE",
                                    ":graph x --dot FILE", ":timeline --svg FILE", ":trace FILE"}) {
    INFO(command);
    const auto file = put_bytes(folder / "old", "old");
    auto input = command;
    input.replace(input.find("FILE"), 4, file);
    const auto e = run("ulimit -f 0; $troupe -e 'x = ones(2)' -e '" + input + "'");
    CHECK(e.status == 1);
    has(e, "cannot be written: ");
    CHECK(std::filesystem::file_size(file) == 3);
    CHECK(std::distance(
              std::filesystem::directory_iterator(std::filesystem::path(file).parent_path()),
              std::filesystem::directory_iterator()) == 1);
  }
  has(run("$troupe -e 'x = ones(2)' -e ':graph x --dot /dev/stdout'"), "digraph");
}

TEST_CASE("an interrupt ends a program that nobody is in conversation with") {
  for (const std::string way :
       {"yes 'q = 1;' | timeout -s INT 1 $troupe",
        "timeout -s INT 1 $troupe -e 'repeat 1000000000 { 1 }'",
        "timeout -s INT 1 $troupe -e ':slow 50s' -e 'sum(ones(2))' -e '1'"}) {
    const auto e = run("timeout 40 sh -c \"" + way + "; echo ended\" | tail -3");
    CHECK(e.status == 0);
    has(e, "ended");
    CHECK(e.text.find("> ") == std::string::npos);
  }
}

TEST_CASE("an interrupt ends whatever a program waits for, and cancels the rest") {
  const temporary_folder folder;
  const auto log = folder / "log";
  for (const std::string last : {"y = 2", "nonzero(x)", "x[x > 0]", "bincount(int32(x))",
                                 "save(\"/dev/null\", x)", "if x[0] > 5 { 1 }"}) {
    INFO(last);
    put_bytes(log, "");
    const auto script =
        put_bytes(folder / "script",
                  "$troupe -e ':slow 1s' -e 'x = ones(3); for i in 0:1000 { x = x + 1 }' "
                  "-e 'print 1' -e '" +
                      last + "' > " + log +
                      " &\n"
                      "until grep -q '^1$' " +
                      log +
                      "; do sleep 0.02; done\n"
                      "sleep 0.2\nkill -INT $!\nwait $!\n");
    const auto e = run("timeout -s KILL 60 sh " + script);
    CHECK(e.status == 130);
  }
}

TEST_CASE("lines of a script may be commands") {
  const temporary_folder folder;
  const auto script = put_bytes(folder / "one.tr",
                                "\xEF\xBB\xBFx = 1\n:seed 3\nrepeat 2 {\n  x = x * 2\n}\n"
                                "  :lanes 1\nprint x\nprint(\"twice\", x * 2)\n");
  const auto good = run("$troupe " + script);
  CHECK(good.status == 0);
  has(good, "4\ntwice\n8\n");

  const auto bad = put_bytes(folder / "two.tr", "x = 1\n:lanes many\nprint x\n");
  const auto mistake = run("$troupe " + bad);
  CHECK(mistake.status == 1);
  has(mistake, "error: :lanes takes a number from 1 to 64 or nothing, not many");
  has(mistake, "two.tr:2");
  CHECK(mistake.text.find("1\n") != 0);

  const auto late = put_bytes(folder / "three.tr", "x = 1\n:seed 3\ny = x + \"a\"\n");
  const auto place = run("$troupe " + late);
  has(place, "three.tr:3");
  has(place, "    y = x + \"a\"\n");

  const auto left = put_bytes(folder / "four.tr", "print 1\n:quit\nprint 2\n");
  CHECK(run("$troupe " + left).text == "1\n");
  CHECK(run("$troupe " + left).status == 0);
  const auto leaves = run("printf 'nope\\n:quit\\n' | $troupe");
  CHECK(leaves.status == 1);
  CHECK(run("$troupe -e nope -e :quit").status == 1);

  const auto inside =
      put_bytes(folder / "six.tr", "x = ones(3)\n\n:graph x & x\n:type x +\ny = (\n");
  const auto wrong = run("$troupe " + inside);
  has(wrong, "six.tr:3");
  has(wrong, "    :graph x & x\n             ^");
  const auto unfinished = put_bytes(folder / "seven.tr", "x = 1\n:type x +\n");
  has(run("$troupe " + unfinished), "seven.tr:2");
  has(run("$troupe -e 'x = 1' -e ':type x + )'"), "    :type x + )\n              ^");

  const auto endless = put_bytes(folder / "five.tr", ":source " + (folder / "five.tr") + "\n");
  const auto deep = run("$troupe " + endless);
  CHECK(deep.status == 1);
  has(deep, "without end");
}

TEST_CASE("a program is run on files that are not there: it is said which") {
  const temporary_folder folder;
  const auto saved = folder / "p.safetensors";
  CHECK(run("$troupe -e 'save_program(\"" + saved + "\", x -> x + 1, [ones(3)])'").status == 0);
  const auto e = run("$troupe run " + saved + " " + (folder / "nope.npy"));
  CHECK(e.status == 1);
  has(e, "nope.npy: cannot be opened: No such file or directory");
}

TEST_CASE("the result of a saved program is written where that is asked for") {
  const temporary_folder folder;
  const auto saved = folder / "p.safetensors", into = folder / "y.npy";
  CHECK(run("$troupe -e 'save_program(\"" + saved + "\", x -> x + 1, [ones(3)])'").status == 0);
  const auto written = run("$troupe run " + saved + " 'ones(3) * 2' --output " + into);
  INFO(written.text);
  CHECK(written.status == 0);
  has(run("$troupe -e 'load(\"" + into + "\")'"), "[3. 3. 3.]");
  const auto e = run("$troupe run " + saved + " 'ones(3) * 2' --output " + (folder / "y.txt"));
  CHECK(e.status == 1);
  has(e, "y.txt should end in .npy");
}

TEST_CASE("sessions with complex arrays go on with other lanes") {
  has(run("$troupe -e 'x = fft(arange(4.))' -e ':lanes 1' -e x"),
      "[ 6.+0.j -2.+2.j -2.+0.j -2.-2.j]");
  const auto e = run("$troupe -e ':plot [1j, 2]'");
  CHECK(e.status == 1);
  has(e, "plot: complex numbers have no order: complex128[2]");
}

TEST_CASE("programs with arrays of their own go on with other lanes") {
  const temporary_folder folder;
  const auto file = folder / "f.safetensors";
  const auto e = run("$troupe -e 'w = ones(3) * 2; save_program(\"" + file +
                     "\", x -> x + constant(w), [w])' -e 'p = load_program(\"" + file +
                     "\"); twice = compile(x -> p(p(x)))' -e 'twice(w)' -e ':lanes 1' -e "
                     "'p(w)' -e 'twice(w)'");
  CHECK(e.status == 0);
  has(e,
      "[6. 6. 6.]  float32[3] on cpu:0\n    1 lane on each of 1 CPU device\n"
      "[4. 4. 4.]  float32[3] on cpu:0\n[6. 6. 6.]");
}

TEST_CASE("functions that keep functions end, however many they are") {
  has(run("$troupe -e 'f = x -> x; repeat 100000 { f = (g -> (x -> g(x)))(f) }' -e 'f = 1' "
          "-e 'f = x -> sum(x); repeat 10000 { f = grad(f) }' -e 'f = 1; f + 1'"),
      "2");
}

TEST_CASE("letters of other languages are kept without a locale") {
  has(run("LC_ALL=C $troupe -e 'print \"a\xC3\xA9z\"'"), "a\xC3\xA9z");
}

TEST_CASE("a saved session runs again, with what its inputs depend on") {
  const temporary_folder folder;
  put_bytes(folder / "inputs",
            ":devices 2\n:seed 7\na = uniform(2)\nb = a.to(cpu(1))\nx = 3; foo\n"
            "y = x + 1\n:save " +
                (folder / "saved.tr") + "\nb\ny\n");
  const auto first = run("$troupe < " + (folder / "inputs"));
  CHECK(first.status == 1);
  std::ofstream(folder / "saved.tr", std::ios::app) << "print b\nprint y\n";
  const auto again = run("$troupe " + (folder / "saved.tr"));
  CHECK(again.status == 0);
  has(again, "cpu:1");
  has(again, "4\n");
  const auto shown = again.text.substr(again.text.find('['));
  has(first, shown.substr(0, shown.find('\n')));
}

TEST_CASE("a saved session says where it names an output by its number") {
  const temporary_folder folder;
  const auto inputs = put_bytes(
      folder / "inputs", "foo\n10\n_2 + 1\n\"_2\" + \"\"\n:save " + (folder / "saved.tr") + "\n");
  const auto e = run("$troupe < " + inputs);
  has(e, "input 3 uses an output by its number");
  CHECK(e.text.find("input 4 uses") == std::string::npos);
}

TEST_CASE("a saved session is as slow as it was, and fails where it did") {
  const temporary_folder folder;
  const auto saved = folder / "saved.tr";
  const std::string kept =
      ":slow 1ms add\na = ones(2)\n:fail exp\n:fail off\n:slow off\n:fail log\n";
  put_bytes(folder / "inputs", kept + ":slow\n:fail\n:save " + saved + "\n");
  CHECK(run("$troupe < " + (folder / "inputs")).status == 0);
  CHECK(run("cat " + saved).text == kept);
  std::ofstream(saved, std::ios::app) << "print log(a)\n";
  has(run("$troupe " + saved), "log: failed on purpose");
}

TEST_CASE("subcommands say what is wrong with their arguments") {
  CHECK(run("$troupe run --help").text.starts_with("Usage: troupe"));
  CHECK(run("$troupe devices --help").status == 0);
  const auto devices = run("$troupe devices all");
  CHECK(devices.status == 2);
  has(devices, "troupe devices takes nothing, not all");
  const auto unknown = run("$troupe demonstrate");
  CHECK(unknown.status == 1);
  has(unknown, "demonstrate is no script, and no command either");
  has(run("$troupe /tmp"), "/tmp is a folder");
}

TEST_CASE("the inputs of a script are kept as those at the prompt are") {
  const temporary_folder folder;
  const auto inner = put_bytes(folder / "inner.tr", "b = a * 2\n");
  const auto script =
      put_bytes(folder / "outer.tr", "a = ones(2)\n:source " + inner +
                                         "\nc = b + a\nprint c\n:save " + (folder / "saved.tr") +
                                         "\n:write " + (folder / "written.cpp") + "\n:timeline\n");
  for (const std::string way : {"$troupe ", "$troupe run ", "$troupe <"}) {
    std::filesystem::remove(folder / "saved.tr");
    std::filesystem::remove(folder / "written.cpp");
    const auto e = run(way + script);
    INFO(way << e.text);
    CHECK(e.status == 0);
    CHECK((e.text.find("nothing ran") == std::string::npos || way.ends_with("<")));
    CHECK(run("cat " + (folder / "saved.tr")).text ==
          "a = ones(2)\nb = a * 2\nc = b + a\nprint c\n");
    has(run("cat " + (folder / "written.cpp")), "  tensor b = a * 2;\n  tensor c = b + a;\n");
  }
  const auto again = run("$troupe " + (folder / "saved.tr"));
  CHECK(again.text == "[3. 3.]  float32[2] on cpu:0\n");
}

TEST_CASE("a refusal of :write names the line of a script") {
  const temporary_folder folder;
  const auto script = put_bytes(
      folder / "one.tr", "a = 1\n:seed 3\nb = (1, \"two\")\n:write " + (folder / "a.cpp") + "\n");
  const auto e = run("$troupe " + script);
  CHECK(e.status == 1);
  has(e, "a list of mixed things as a value (" + script + ":3)");
}
