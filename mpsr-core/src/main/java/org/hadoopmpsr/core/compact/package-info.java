/** Which segments are merged, and how the files of a merge are divided among tasks. */
package org.hadoopmpsr.core.compact;
