/** The datasets of the namespace, as their definitions record them, and a lock for each. */
package org.hadoopmpsr.namenode.dataset;
