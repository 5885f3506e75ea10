// Where the page begins.

import { render } from "preact";
import { App } from "./shell/App";
import { begin } from "./state";
import "./base.css";
import "./ui/ui.css";
import "./charts/charts.css";

const root = document.getElementById("page");
if (root !== null) render(<App />, root);
void begin();
