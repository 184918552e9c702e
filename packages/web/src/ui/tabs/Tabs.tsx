import { type ReactNode, useEffect, useRef } from 'react'
import { Tabs as Primitive } from 'radix-ui'
import './tabs.css'

interface TabsProps<Value extends string> {
  /** Accessible name of the tab list. */
  label: string
  value: Value
  tabs: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** Panel of the selected tab. */
  children: ReactNode
}

/** Tabs with panels; arrow keys move between them. */
export function Tabs<Value extends string>({ label, value, tabs, onChange, children }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  // Scrolls to the selected tab, which may be out of sight if the address selected it.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [value])
  return (
    <Primitive.Root value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      <Primitive.List className="tabs" aria-label={label} ref={list}>
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            className="tab"
            value={tab.value}
            // Radix focuses by script, after which browsers show the focus ring for pointers too.
            onMouseDown={({ button, ctrlKey, currentTarget }) => {
              if (button === 0 && !ctrlKey) currentTarget.focus({ focusVisible: false })
            }}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {/* Each tab refers to its panel, so all panels exist; Radix hides and empties those that are not selected. */}
      {tabs.map((tab) => (
        <Primitive.Content key={tab.value} className="tab-panel" value={tab.value}>
          {children}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
