// Dates and times as ISO 8601 writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sightline::host {

/// Seconds since 1970-01-01T00:00:00Z of "2026-05-01", "2026-05-01T12:30", "2026-05-01
/// 12:30:05.25Z" or "2026-05-01T12:30:05+02:00", by the Gregorian calendar without leap seconds;
/// without an offset it is UTC. Nothing if the text is anything else, or names a day or hour that
/// there is not.
std::optional<double> parse_iso_time(std::string_view text);

/// "12.5 s", or of a billion seconds and more, which no walk lasts, the moment that it is since
/// 1970, "2026-05-01T12:30:05Z", cut to whole seconds.
std::string time_text(double seconds);

}  // namespace sightline::host
