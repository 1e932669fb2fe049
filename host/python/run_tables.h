// The tables of a run as NumPy columns.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "host/sweep/store.h"

namespace sightline::python {

/// The columns of results.csv or timings.csv, by name: values of axes by their types, the arm and
/// the id as texts, counts as int64, all else as float64 with NaN where a field is empty.
pybind11::dict columns_of(const host::RunData& run, const std::string& csv);

/// Those of claims.csv, all texts.
pybind11::dict claims_of(const host::RunData& run);

}  // namespace sightline::python
