/** Lost files and diverged representations, and what missing blocks mean for safe mode. */
package org.hadoopmpsr.namenode.health;
