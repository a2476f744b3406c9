#include "base/shown_text.h"

#include <gtest/gtest.h>

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

TEST(ShownText, KeepsTheColoursOfTheProgramIfAsked) {
  EXPECT_EQ(shown_text("\x1b[1;31merror\x1b[0m \x1b[8mhidden", true),
            "\x1b[1;31merror\x1b[0m \\x1b[8mhidden");
  EXPECT_EQ(shown_text("\x1b[0m"), "\\x1b[0m");
}

}  // namespace
}  // namespace sorites
