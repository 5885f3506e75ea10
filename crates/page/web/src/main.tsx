// Where the page begins.

import { render } from "preact";
// Style sheets of parts come before those of views, which may say more about them.
import "./base.css";
import "./ui/ui.css";
import "./charts/charts.css";
import { App } from "./shell/App";
import { begin } from "./state";

const root = document.getElementById("page");
if (root !== null) render(<App />, root);
void begin();
