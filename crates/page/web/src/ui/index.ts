// The parts that views are made of.

export { Button } from "./Button";
export { Card } from "./Card";
export { Dialog } from "./Dialog";
export { Field } from "./Field";
export { Coded, Problem } from "./Problem";
export { Progress } from "./Progress";
export { Select } from "./Select";
export { Slider } from "./Slider";
export { Table } from "./Table";
export { Tabs } from "./Tabs";
export { Toasts, toast } from "./Toasts";
