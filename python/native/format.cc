// The functions of libfmt, which Debian has as a shared library alone, compiled from its headers.
#include <fmt/format-inl.h>

namespace fmt::detail {

template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
#if FMT_VERSION >= 100000  // Debian 13
template void vformat_to(buffer<char>&, string_view, typename vformat_args<>::type, locale_ref);
#endif

}  // namespace fmt::detail
