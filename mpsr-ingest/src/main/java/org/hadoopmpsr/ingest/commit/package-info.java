/** Exactly-once: which offsets are buffered, staged and committed, and what to do when a step fails. */
package org.hadoopmpsr.ingest.commit;
