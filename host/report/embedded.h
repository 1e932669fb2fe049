// Files of this folder that travel inside the program, so that it can be moved.
#pragma once

namespace sightline::host::report {

extern const char* const kFiguresPy;          ///< figures.py
extern const char* const kFigureLabelsPy;     ///< what that imports
extern const char* const kFigureMapsPy;       ///< that, too
extern const char* const kFigureStylePy;      ///< and what they all do
extern const char* const kPageHtml;           ///< page.html
extern const char* const kReadingSightHtml;   ///< how to read a page of visibility
extern const char* const kReadingRecallHtml;  ///< and one of recall
extern const char* const kReadingStudyHtml;   ///< and one of a study

}  // namespace sightline::host::report
