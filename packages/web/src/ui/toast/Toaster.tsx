import { CircleAlert, CircleCheck, Info, ShieldAlert, X } from 'lucide-react'
import { classes } from '../classes.ts'
import { uiTexts } from '../texts.ts'
import { buttonClass } from '../button/Button.tsx'
import { dismissToast, pauseToast, resumeToast, type ShownToast, type ToastTone, toasts } from './toastStore.ts'
import { useStore } from '../useStore.ts'
import { useToastPlacement } from './useToastPlacement.ts'
import './toast.css'

const icons = {
  success: CircleCheck,
  info: Info,
  warning: ShieldAlert,
  destructive: CircleAlert,
  critical: ShieldAlert,
}

const looks: Record<ToastTone, string | false> = {
  success: false,
  info: 'toast-info',
  warning: 'toast-warn',
  destructive: 'toast-destructive',
  critical: 'toast-destructive',
}

/** Shows one toast at a time. Both live regions are always rendered, so that screen readers announce new toasts. */
export function Toaster() {
  const shown = useStore(toasts)
  const region = useToastPlacement(shown?.key)
  const urgent = shown?.tone === 'destructive' || shown?.tone === 'critical'
  return (
    <section ref={region} className="toast-region" aria-label={uiTexts.notices}>
      <div role="status">{shown && !urgent && <Toast key={shown.key} shown={shown} />}</div>
      <div role="alert">{shown && urgent && <Toast key={shown.key} shown={shown} />}</div>
    </section>
  )
}

function Toast({ shown: { title, description, tone, life, paused } }: { shown: ShownToast }) {
  const Icon = icons[tone]
  return (
    <div
      className={classes('toast', looks[tone])}
      data-paused={paused || undefined}
      onPointerEnter={pauseToast}
      onPointerLeave={(event) => event.currentTarget.contains(document.activeElement) || resumeToast()}
      onFocus={pauseToast}
      onBlur={(event) => event.currentTarget.matches(':hover') || resumeToast()}
      onKeyDown={(event) => event.key === 'Escape' && dismissToast()}
    >
      <Icon className="ic ic-md" />
      <div className="toast-title">{title}</div>
      {description && <p>{description}</p>}
      <button
        type="button"
        className={buttonClass({ variant: 'ghost', icon: true })}
        aria-label={uiTexts.dismiss}
        title={uiTexts.dismiss}
        onClick={dismissToast}
      >
        <X className="ic" />
      </button>
      <span className="toast-life" aria-hidden="true" style={{ animationDuration: `${life}ms` }} />
    </div>
  )
}
