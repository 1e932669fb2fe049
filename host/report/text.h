// Numbers and names as a reader of the page sees them, and HTML escaping.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "host/stats/paired.h"

namespace sightline::host::report {

std::string count_text(std::int64_t count);  ///< "1,144"
std::string number_text(double value);       ///< shortest of up to 6 digits: "0.25"
std::string digits_text(double value);       ///< three digits: "31.7", "0.0412", "100"
std::string rate_text(double per_s);         ///< four digits of the unit: "167.5 M", "12.3"
std::string percent_text(double share);      ///< three digits: "98.7 %", "0.0412 %", "100 %"
std::string interval_text(const stats::Interval& share);  ///< "95 % CI 97.8 % to 99.2 %"
std::string signed_points_text(double share);             ///< "+72.9": percentage points
std::string p_value_text(double p);                       ///< "0.0386", "1.75e-251", "1"

/// The last part of an axis key in words, without its unit: "field_of_view.half_angle_deg" gives
/// "half angle".
std::string axis_name(const std::string& key);
/// As a figure has it along an axis: "march step (m)", "half angle (°)".
std::string axis_title(const std::string& key);
/// A value with the unit of its key: "45°".
std::string axis_value(const std::string& key, const std::string& value);
/// The name with a value and its unit: "half angle 45°".
std::string axis_value_label(const std::string& key, const std::string& value);
/// "a", "a and b", "a, b and c".
std::string join_words(const std::vector<std::string>& words);

/// Text made safe for HTML content and quoted attributes.
std::string escape_html(const std::string& text);
/// Replaces each {{name}} of the page by its value, unescaped. Throws RunError for a name without
/// value: a fault of the template, not of the user.
std::string fill_template(const std::string& page,
                          const std::map<std::string, std::string>& values);

}  // namespace sightline::host::report
