// Styles of the countdown, the characters left and the voice input around the field.
import { css } from 'lit'

export const composeStyles = css`
  .wait,
  .room {
    margin: 0 4px 6px;
    color: var(--faint);
    font-size: 12.5px;
    font-variant-numeric: tabular-nums;
  }
  .room {
    margin: 6px 4px 0;
    text-align: end;
  }
  .room.over {
    color: var(--few);
    font-weight: 600;
  }
  .round.voice {
    background: none;
    color: var(--faint);
  }
  .round.voice.listening {
    background: var(--yours);
    color: var(--link);
  }
  @media (pointer: coarse) {
    .round {
      width: 44px;
      height: 44px;
    }
  }
`
