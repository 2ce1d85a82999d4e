/** The page that opens from a file: first its document is prepared, then the page starts. */

import "./data/embedded_document.js";
import "./main.js";
