"""What a file names of a header that the build precompiles, it must include all the same: else it
compiles with precompiled headers only. A rule of check_includes.py."""

import re

from source_tree import without_comments_and_strings

# As in scripts/cmake/sightline_targets.cmake.
# The usual names of each, after std::.
PRECOMPILED = {
    header: re.compile(rf"\bstd::(?:{names})\b") for header, names in {
        "algorithm": "sort|stable_sort|partial_sort|nth_element|min|max|minmax|clamp|any_of|all_of|"
                     "none_of|find|find_if|find_if_not|count|count_if|transform|copy|copy_n|copy_if|"
                     "fill|fill_n|generate|lower_bound|upper_bound|equal_range|binary_search|reverse|"
                     "unique|max_element|min_element|minmax_element|remove|remove_if|replace|rotate|"
                     "is_sorted|shuffle|for_each|set_union|set_difference|set_intersection|merge|"
                     "inplace_merge|includes|mismatch|search|equal|adjacent_find|partition|"
                     "stable_partition|partition_point|push_heap|pop_heap|make_heap|next_permutation|"
                     "lexicographical_compare",
        "array": "array",
        "cmath": "sqrt|fabs|floor|ceil|round|lround|llround|trunc|rint|nearbyint|hypot|isfinite|isnan|"
                 "isinf|signbit|copysign|sin|cos|tan|asin|acos|atan|atan2|exp|exp2|expm1|log|log2|"
                 "log10|log1p|pow|cbrt|fmod|remainder|nextafter|nexttoward|ldexp|frexp|scalbn|erf|"
                 "erfc|lgamma|tgamma|fmin|fmax|fma|modf",
        "cstdint": r"u?int(?:_fast|_least)?(?:8|16|32|64|max|ptr)_t",
        "filesystem": "filesystem",
        "functional": "function|bind|ref|cref|hash|less|greater|plus|multiplies|not_fn|invoke",
        "map": "map|multimap",
        "memory": "unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared|addressof|default_delete",
        "optional": "optional|nullopt|make_optional",
        "set": "set|multiset",
        "string": "string|to_string|stoi|stol|stoll|stoul|stoull|stof|stod|getline|char_traits",
        "string_view": "string_view",
        "utility": "move|forward|swap|exchange|pair|make_pair|as_const|declval|in_place",
        "vector": "vector",
    }.items()}


def check_precompiled(tree, path):
    """(line number, what, rule) for the first name of each precompiled header without its include."""
    text = without_comments_and_strings(tree.text[path])
    named = {header: pattern.search(text) for header, pattern in PRECOMPILED.items()}
    included = {name for file in tree.headers_of(path) | {path} for _, name, _ in tree.includes(file)}
    for header, match in named.items():
        if match is not None and header not in included:
            yield (text.count("\n", 0, match.start()) + 1, match.group(),
                   f"is of <{header}>, which is included nowhere; it is only precompiled")
