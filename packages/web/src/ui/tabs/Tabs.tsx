import { type ReactNode, useEffect, useRef } from 'react'
import { Tabs as Primitive } from 'radix-ui'
import './tabs.css'

interface TabsProps<Value extends string> {
  /** What a screen reader calls the row of tabs. */
  label: string
  value: Value
  tabs: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  /** The panel of the chosen tab. */
  children: ReactNode
}

/** One of a few panels, named by a row of tabs; the arrow keys move the choice. */
export function Tabs<Value extends string>({ label, value, tabs, onChange, children }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null)
  // Where the row scrolls sideways, an address may name a tab that is out of sight.
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
            // Radix moves the focus by script, after which a browser shows the ring of the keyboard for a pointer too.
            onMouseDown={({ button, ctrlKey, currentTarget }) => {
              if (button === 0 && !ctrlKey) currentTarget.focus({ focusVisible: false })
            }}
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      <Primitive.Content className="tab-panel" value={value}>
        {children}
      </Primitive.Content>
    </Primitive.Root>
  )
}
