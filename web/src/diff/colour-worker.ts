// The worker of the viewer, which colours code beside the page; it gives nothing to import.
// oxlint-disable-next-line import/no-unassigned-import
import '@pierre/diffs/worker/worker.js';
