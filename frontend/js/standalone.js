/** The page that opens from a file: first the document, then what is done with it. */

import "./prepare.js";
import "./main.js";
