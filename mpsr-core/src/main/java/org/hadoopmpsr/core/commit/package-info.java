/** Commits: their names, their sources, and the fence by offsets. */
package org.hadoopmpsr.core.commit;
