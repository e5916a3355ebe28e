import type { CustomerEnvelope } from '../../api/types.js';

export interface CustomerDialogProps {
  envelope: CustomerEnvelope;
  onClose: () => void;
}
