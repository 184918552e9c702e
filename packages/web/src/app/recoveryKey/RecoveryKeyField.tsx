import type { ChangeEvent } from 'react'
import { Field } from '../../ui/field/Field.tsx'
import { useKeyVerdict } from './recoveryKeyEntry.ts'
import { recoveryKeyEntryTexts as texts } from './texts.ts'
import './recoveryKey.css'

interface RecoveryKeyFieldProps {
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLTextAreaElement>) => void
}

/** Asks for the recovery key, and says which group is mistyped as soon as all are typed. */
export function RecoveryKeyField({ value, error, onChange }: RecoveryKeyFieldProps) {
  const verdict = useKeyVerdict(value)
  return (
    <Field
      label={texts.label}
      error={verdict.error ?? error}
      hint={<span role="status">{verdict.right ? texts.complete : texts.hint}</span>}
    >
      {(control) => (
        <textarea
          className="input input-mono key-entry"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={value}
          onChange={onChange}
          {...control}
        />
      )}
    </Field>
  )
}
