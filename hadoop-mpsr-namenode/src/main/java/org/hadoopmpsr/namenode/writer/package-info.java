/** What writers say of a change, who may make one, and how they are refused. */
package org.hadoopmpsr.namenode.writer;
