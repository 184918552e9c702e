import { invitation } from '../../../app/invitation/invitation.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { AuthHead } from '../AuthShell.tsx'
import { authTexts } from '../texts.ts'

/** Replaces the sign-up form if the invitation is invalid, before the user types anything. */
export function InvalidInvitation({ onSignIn }: { onSignIn: () => void }) {
  const texts = authTexts.invitation
  return (
    <section className="auth-form">
      <div role="alert">
        <AuthHead title={texts.invalid}>{texts.invalidWhy}</AuthHead>
      </div>
      <Button block onClick={() => invitation.set(undefined)}>
        {texts.without}
      </Button>
      <p className="swap">
        {authTexts.signUp.swap}{' '}
        <button type="button" className="linkbtn" onClick={onSignIn}>
          {authTexts.signUp.toSignIn}
        </button>
      </p>
    </section>
  )
}
