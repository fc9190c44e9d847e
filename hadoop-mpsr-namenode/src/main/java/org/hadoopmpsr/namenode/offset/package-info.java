/** Committed offsets that superusers move. */
package org.hadoopmpsr.namenode.offset;
