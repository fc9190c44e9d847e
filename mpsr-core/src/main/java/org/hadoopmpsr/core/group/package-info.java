/** Replica groups: predicates, partition transforms and sort orders, and how they are read from text. */
package org.hadoopmpsr.core.group;
