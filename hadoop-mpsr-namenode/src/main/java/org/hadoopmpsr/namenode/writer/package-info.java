/** What writers say of a change, and how they are refused. */
package org.hadoopmpsr.namenode.writer;
