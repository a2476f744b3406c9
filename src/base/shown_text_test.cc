#include "base/shown_text.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace sorites {
namespace {

TEST(ShownText, EscapesWhatMovesTheCursorOrTurnsText) {
  EXPECT_EQ(shown_text("a\x1b[2Jb\rc\x07"), "a\\x1b[2Jb\\x0dc\\x07");
  EXPECT_EQ(shown_text("\x7f\xc2\x9b"
                       "1m"),
            "\\x7f\\u009b1m");
  EXPECT_EQ(shown_text("a\xe2\x80\xae"
                       "b\xe2\x81\xa6"),
            "a\\u202eb\\u2066");
}

TEST(ShownText, LeavesTextAsItIs) {
  const char* text = "Knows('J\xc3\xbcrgen', '\xe2\x82\xac')\n\t= 1";
  EXPECT_EQ(shown_text(text), text);
}

TEST(ShownText, EscapesTheColoursOfTheProgramToo) {
  EXPECT_EQ(shown_text("\x1b[1;31merror\x1b[0m"), "\\x1b[1;31merror\\x1b[0m");
}

TEST(ShownText, BlanksKeepWhatIsUnderACharacterUnderIt) {
  EXPECT_EQ(blanked_text("a\tb\x1b[c\xc2\x9b"
                         "d\xe2\x80\xae"
                         "e\xc3\xbc"),
            "a b [c d e\xc3\xbc");
}

TEST(ShownText, IsWhatAFileGetsThatIsATerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "there are no terminals here";
  ASSERT_EQ(::grantpt(terminal), 0);
  ASSERT_EQ(::unlockpt(terminal), 0);
  const std::string path = ::ptsname(terminal);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_EQ(text_for_file(path, "a\x1b[2J\n"), "a\\x1b[2J\n");
  EXPECT_EQ(text_for_file("/dev/null", "a\x1b[2J"), "a\x1b[2J");
  ::close(terminal);
}

}  // namespace
}  // namespace sorites
