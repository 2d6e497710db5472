// SPDX-License-Identifier: MIT
#include "troupe/tasks/atomic_file.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include "troupe/tensor/io/npy.hpp"
#include "troupe/tensor/io/safetensors.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tests/temporary_folder.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace {

mode_t mode_before_chmod = 0;

}  // namespace

// Takes the place of the system's function, and notes the mode that a file has before.
extern "C" int fchmod(int descriptor, mode_t mode) noexcept {
  struct stat about {};
  fstat(descriptor, &about);
  mode_before_chmod = about.st_mode & 0777;
  return static_cast<int>(syscall(SYS_fchmod, descriptor, mode));
}

namespace troupe::testing {

namespace {

struct written_files : test_engine {
  temporary_folder folder;
  std::string path = folder / "x.npy";

  file_call call() { return {"test", path, std::source_location::current()}; }
};

/// Runs a function in a process of its own; returns waitpid's status of its end.
template <class F>
int end_of_child(F f) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    try {
      f();
    } catch (...) { std::_Exit(99); }
    std::_Exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

void limit_file_size(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) std::_Exit(98);
}

bool is_root() { return geteuid() == 0; }

}  // namespace

TEST_CASE_METHOD(written_files,
                 "a file does not exist before it is committed, and is complete afterwards") {
  {
    atomic_file file(call());
    file.write("hello ");
    CHECK_THAT(folder.names(), Catch::Matches("x\\.npy\\.tmp-[0-9a-f]+ "));
    file.write("world");
    file.overwrite(0, "J");
    CHECK(file.size() == 11);
    file.commit();
  }
  CHECK(folder.names() == "x.npy ");
  CHECK(bytes_in(path) == "Jello world");
}

TEST_CASE_METHOD(written_files, "an uncommitted file leaves the older one unchanged") {
  put_bytes(path, "old");
  {
    atomic_file file(call());
    file.write("new");
  }
  CHECK(folder.names() == "x.npy ");
  CHECK(bytes_in(path) == "old");
}

TEST_CASE_METHOD(written_files, "two writers of one file do not mix: the last to commit wins") {
  atomic_file one(call()), other(call());
  one.write("one");
  other.write("other");
  other.commit();
  one.commit();
  CHECK(bytes_in(path) == "one");
  CHECK(folder.names() == "x.npy ");
}

TEST_CASE_METHOD(written_files, "a process that ends while saving leaves the old file intact") {
  save_npy(path, ones({1000}));
  const int status = end_of_child([&] {
    atomic_file file(call());
    file.write(std::string(2000, '?'));
    std::_Exit(42);
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 42);
  CHECK(folder.names().find(".tmp-") != std::string::npos);
  CHECK(numbers(load_npy(path)) == std::vector<double>(1000, 1.));
  save_npy(path, zeros({2}));  // leftovers do no harm
  CHECK(numbers(load_npy(path)) == std::vector<double>{0, 0});
}

TEST_CASE_METHOD(written_files, "a process killed while saving leaves the old file intact") {
  const auto checkpoint = folder / "model.safetensors";
  const auto old = ones({1000}), larger = zeros({100'000});
  save_safetensors(checkpoint, {{"w", old}});
  const int status = end_of_child([&] {
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGXFSZ, SIG_DFL);
    limit_file_size(1 << 16);
    save_safetensors(checkpoint, {{"w", larger}});
  });
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGXFSZ);
  CHECK(numbers(load_safetensors(checkpoint).tensors.at("w")) == std::vector<double>(1000, 1.));
}

TEST_CASE_METHOD(written_files,
                 "a full disk is an error that names the file, and the old one stays") {
  save_npy(path, ones({10}));
  const auto before = bytes_in(path);
  const auto large = zeros({100'000});
  const int status = end_of_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    limit_file_size(1 << 16);
    const auto text = TROUPE_ERROR_OF(save_npy(path, large));
    std::_Exit(text == "save_npy: " + path + ": cannot be written: File too large" ? 7 : 8);
  });
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(bytes_in(path) == before);
  CHECK(folder.names() == "x.npy ");
}

TEST_CASE_METHOD(written_files, "a missing folder is named") {
  const auto missing = folder / "models/x.npy";
  CHECK(TROUPE_ERROR_OF(save_npy(missing, ones({2}))) ==
        "save_npy: " + missing + ": cannot be written: No such file or directory");
  put_bytes(path, "");
  CHECK(TROUPE_ERROR_OF(save_npy(path + "/y.npy", ones({2}))) ==
        "save_npy: " + path + "/y.npy: cannot be written: Not a directory");
}

TEST_CASE_METHOD(written_files, "a read-only folder is an error") {
  REQUIRE(chmod(folder.path().c_str(), 0500) == 0);
  const int status = end_of_child([&] {
    if (is_root() && setuid(65534) != 0) std::_Exit(97);
    const auto text = TROUPE_ERROR_OF(save_npy(path, ones({2})));
    std::_Exit(text == "save_npy: " + path + ": cannot be written: Permission denied" ? 7 : 8);
  });
  REQUIRE(chmod(folder.path().c_str(), 0700) == 0);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(folder.names().empty());
}

TEST_CASE_METHOD(written_files, "folders and devices are not replaced by files") {
  CHECK(TROUPE_ERROR_OF(save_npy(folder.path(), ones({2}))) ==
        "save_npy: " + folder.path() + ": is a folder");
  CHECK(TROUPE_ERROR_OF(save_npy("/dev/null", ones({2}))) ==
        "save_npy: /dev/null: is no regular file");
  CHECK(TROUPE_ERROR_OF(save_npy("", ones({2}))) == "save_npy: \"\": a path is not empty");
}

TEST_CASE_METHOD(written_files, "a symbolic link is kept: its target is replaced") {
  const auto link = folder / "latest.npy";
  save_npy(path, ones({2}));
  REQUIRE(symlink("x.npy", link.c_str()) == 0);
  save_npy(link, zeros({3}));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(numbers(load_npy(path)) == std::vector<double>{0, 0, 0});
}

TEST_CASE_METHOD(written_files, "a link to a file that is not there yet stays one, too") {
  const auto link = folder / "latest.npy", further = folder / "further.npy";
  std::filesystem::create_directory(folder / "runs");
  REQUIRE(symlink("further.npy", link.c_str()) == 0);
  REQUIRE(symlink("runs/x.npy", further.c_str()) == 0);
  save_npy(link, zeros({3}));
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::filesystem::is_symlink(further));
  CHECK(numbers(load_npy(folder / "runs/x.npy")) == std::vector<double>{0, 0, 0});
}

TEST_CASE_METHOD(written_files, "a link to a folder that is not there is an error, and stays") {
  const auto link = folder / "latest.npy";
  REQUIRE(symlink("missing/x.npy", link.c_str()) == 0);
  CHECK(TROUPE_ERROR_OF(save_npy(link, ones({2}))) ==
        "save_npy: " + link + ": cannot be written: No such file or directory");
  CHECK(folder.names() == "latest.npy ");
}

TEST_CASE_METHOD(written_files, "a loop of links is an error, and stays") {
  const auto one = folder / "one.npy", other = folder / "other.npy";
  REQUIRE(symlink("other.npy", one.c_str()) == 0);
  REQUIRE(symlink("one.npy", other.c_str()) == 0);
  CHECK(TROUPE_ERROR_OF(save_npy(one, ones({2}))) ==
        "save_npy: " + one + ": cannot be written: Too many levels of symbolic links");
  CHECK(std::filesystem::is_symlink(one));
  CHECK(folder.names() == "one.npy other.npy ");
}

TEST_CASE_METHOD(written_files,
                 "the temporary of a private file is private from its first moment") {
  put_bytes(path, "old");
  REQUIRE(chmod(path.c_str(), 0600) == 0);
  const auto mask = umask(0);
  mode_before_chmod = 0777;
  save_npy(path, ones({2}));
  umask(mask);
  CHECK(mode_before_chmod == 0600);
}

TEST_CASE_METHOD(written_files, "the permissions of an older file are kept") {
  const auto mode = [&] {
    struct stat about {};
    stat(path.c_str(), &about);
    return about.st_mode & 0777;
  };
  const auto mask = umask(022);
  save_npy(path, ones({2}));
  umask(mask);
  CHECK(mode() == 0644);
  REQUIRE(chmod(path.c_str(), 0600) == 0);
  save_npy(path, zeros({2}));
  CHECK(mode() == 0600);
}

}  // namespace troupe::testing
