import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { Eye, EyeOff } from 'lucide-react'
import { uiTexts } from '../texts.ts'
import { buttonClass } from '../button/Button.tsx'
import { Field, type LabelProps, Input } from './Field.tsx'

/** A password field with a button to show the password and a Caps Lock hint. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const { onKeyUp, onBlur, autoComplete, ...rest } = props
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const action = shown ? uiTexts.hidePassword : uiTexts.showPassword

  function keyUp(event: KeyboardEvent<HTMLInputElement>) {
    setCapsLock(event.getModifierState('CapsLock'))
    onKeyUp?.(event)
  }

  return (
    <>
      <div className="input-wrap">
        <Input
          type={shown ? 'text' : 'password'}
          autoCapitalize="none"
          spellCheck={false}
          onKeyUp={keyUp}
          onBlur={(event) => {
            setCapsLock(false)
            onBlur?.(event)
          }}
          // Chromium writes what a form holds to its session files, except from password fields and those with 'off'.
          autoComplete={shown ? 'off' : autoComplete}
          {...rest}
        />
        <button
          type="button"
          className={buttonClass({ variant: 'ghost' })}
          aria-label={action}
          title={action}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeOff className="ic" /> : <Eye className="ic" />}
        </button>
      </div>
      <p className="hint" role="status" hidden={!capsLock}>
        {capsLock && uiTexts.capsLock}
      </p>
    </>
  )
}

/** A password input with its label, hint and error; for the current password unless `autoComplete` says otherwise. */
export function PasswordField({ label, hint, error, ...input }: ComponentProps<typeof PasswordInput> & LabelProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <PasswordInput autoComplete="current-password" {...input} {...control} />}
    </Field>
  )
}
