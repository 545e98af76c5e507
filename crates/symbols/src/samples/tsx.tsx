import React, { useState } from "react";

export function Panel({ title }: PanelProps) {
  const [open, setOpen] = useState(false);
  const toggle = () => setOpen(!open);
  return <Card onClick={toggle}><Title text={title} /></Card>;
}

export const Row = React.memo(function Row(props: RowProps) {
  return <Cell>{props.text}</Cell>;
});
