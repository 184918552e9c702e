import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/button/Button.tsx'
import { coreTexts } from '../texts.ts'
import './starting.css'

/** Shown if a screen fails to load or render. React catches render errors in class components only. */
export class CrashScreen extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    console.error(error)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main className="starting crashed">
        <div>
          <h1 className="h-page">{coreTexts.crashed}</h1>
          <p>{coreTexts.crashedWhy}</p>
          <Button variant="primary" onClick={() => location.reload()}>
            {coreTexts.reload}
          </Button>
        </div>
      </main>
    )
  }
}
