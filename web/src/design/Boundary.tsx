import { Component, type ReactNode } from 'react'

interface Props {
  /** What stands in place of a part that failed. */
  fallback: ReactNode
  /** Another value is another try. */
  resetOn?: unknown
  children: ReactNode
}

interface Caught {
  failed: boolean
  resetOn: unknown
}

/** Where a fault ends: what is around this part goes on. */
export class Boundary extends Component<Props, Caught> {
  override state: Caught = { failed: false, resetOn: this.props.resetOn }

  static getDerivedStateFromError(): Partial<Caught> {
    return { failed: true }
  }

  static getDerivedStateFromProps({ resetOn }: Props, state: Caught): Caught | null {
    return resetOn === state.resetOn ? null : { failed: false, resetOn }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
